/** The page's life: credential, events socket, and what happens when either is lost. */

import { exchangeStartCode, whenRefused } from '../wire/api'
import { forgetCredential, loadCredential, takeStartCode } from '../wire/credential'
import { Link } from '../wire/link'
import { socketUrl } from '../wire/socketUrl'
import { connectionStore } from './connection'
import { takeEvent, takeSnapshot } from './world'

let link: Link | null = null

/** Opens the page: takes the start code if there is one, else the kept credential, else shows the locked page. */
export async function openPage(): Promise<void> {
  whenRefused(() => lock('revoked'))
  window.addEventListener('hashchange', () => void enter())
  await enter()
}

export function retryNow(): void {
  link?.retryNow()
}

async function enter(): Promise<void> {
  const code = takeStartCode()
  if (code !== null) {
    const exchanged = await exchangeStartCode(code)
    // A reload with a used code still has the credential that the code was exchanged for.
    if (!exchanged.ok && loadCredential() === null) {
      return lock(exchanged.failure.code === 'OFFLINE' ? 'unreachable' : 'codeRefused')
    }
  } else if (link !== null) return
  const credential = loadCredential()
  if (credential === null) return lock('noCredential')
  connect(credential)
}

function connect(credential: string): void {
  link?.close()
  link = new Link({
    url: socketUrl('/api/events'),
    credential,
    listener: {
      onPhase: (phase) => {
        if (phase.name !== 'refused') return connectionStore.setState({ phase })
        forgetCredential()
        lock('revoked')
      },
      onSnapshot: takeSnapshot,
      onEvent: takeEvent,
    },
  })
  link.open()
}

function lock(reason: 'noCredential' | 'revoked' | 'codeRefused' | 'unreachable'): void {
  link?.close()
  link = null
  connectionStore.setState({ phase: { name: 'locked', reason }, hasState: false })
}
