/** The page's life: credential, events socket, and what happens when either is lost. */

import { exchangeStartCode, whenRefused } from '../wire/api'
import { abandonCalls } from '../wire/boundedFetch'
import { forgetCredential, loadCredential, takeStartCode } from '../wire/credential'
import { doubt } from '../wire/doubt'
import { Link, type LinkPhase } from '../wire/link'
import { isUnreached } from '../wire/outcome'
import { socketUrl } from '../wire/socketUrl'
import { relistBrowsers } from './browsers'
import { connectionStore } from './connection'
import { lookAgainWhereFailed } from './profiles'
import { takeEvent, takeSnapshot } from './world'

let link: Link | null = null
let unspentCode: string | null = null

/** Opens the page: takes the start code if there is one, else the kept credential, else shows the locked page. */
export async function openPage(): Promise<void> {
  whenRefused(() => lock('revoked'))
  window.addEventListener('hashchange', () => void enter())
  // What may have slept, or lost its network: the connection shows itself as it is when somebody looks again.
  for (const name of ['focus', 'online']) window.addEventListener(name, doubt)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && doubt())
  await enter()
}

export function retryNow(): void {
  link?.retryNow()
}

/** With the start code that the server did not answer to: it is in no address any more. */
export async function enterAgain(): Promise<void> {
  connectionStore.setState({ phase: { name: 'connecting' } })
  await enter()
}

async function enter(): Promise<void> {
  const code = takeStartCode() ?? unspentCode
  if (code !== null) {
    const exchanged = await exchangeStartCode(code)
    // A reload with a used code still has the credential that the code was exchanged for.
    if (!exchanged.ok && loadCredential() === null) {
      const isUnspent = isUnreached(exchanged.failure)
      unspentCode = isUnspent ? code : null
      return lock(isUnspent ? 'unreachable' : 'codeRefused')
    }
    unspentCode = null
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
    isInSight: () => document.visibilityState === 'visible',
    listener: {
      onPhase: takePhase,
      onSnapshot: takeSnapshot,
      onEvent: takeEvent,
      onCredentials: relistBrowsers,
    },
  })
  link.open()
}

function takePhase(phase: LinkPhase): void {
  if (phase.name === 'refused') {
    forgetCredential()
    return lock('revoked')
  }
  if (phase.name === 'lost' && phase.why === 'silent') abandonCalls()
  connectionStore.setState({ phase })
  // What was told meanwhile is not told again.
  if (phase.name !== 'online') return
  relistBrowsers()
  lookAgainWhereFailed()
}

function lock(reason: 'noCredential' | 'revoked' | 'codeRefused' | 'unreachable'): void {
  link?.close()
  link = null
  connectionStore.setState({ phase: { name: 'locked', reason }, hasState: false })
}
