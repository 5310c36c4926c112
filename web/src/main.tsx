import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { PageFault } from './app/PageFault'
import { Whereabouts } from './app/Whereabouts'
import { openPage } from './state/page'
import { keepPage } from './state/selection'
import { keepDrafts } from './state/writing'
import { Boundary } from './ui/Boundary'
import './ui/styles/index.css'

const root = document.getElementById('root')
if (root !== null) {
  new Whereabouts(root).outliveReload()
  createRoot(root).render(
    <StrictMode>
      <Boundary fallback={({ text }) => <PageFault text={text} />}>
        <App />
      </Boundary>
    </StrictMode>,
  )
}
keepDrafts()
keepPage()
void openPage()
