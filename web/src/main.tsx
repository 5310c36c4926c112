import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { Whereabouts } from './app/Whereabouts'
import { openPage } from './state/page'
import { keepPage } from './state/selection'
import { keepDrafts } from './state/writing'
import './ui/styles/index.css'

const root = document.getElementById('root')
if (root !== null) {
  new Whereabouts(root).outliveReload()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
keepDrafts()
keepPage()
void openPage()
