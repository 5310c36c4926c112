import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { openPage } from './state/page'
import { keepDrafts } from './state/writing'
import './ui/styles/index.css'

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
keepDrafts()
void openPage()
