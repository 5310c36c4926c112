import type { Terminal } from '@xterm/xterm'
import type { Owned } from '../lib/lifecycle'

/** Of a page: browsers take the oldest context away beyond some 8 to 16, and that terminal would stand still for seconds. */
const MOST = 8
/** Those that a processor plays, by the names they give themselves: not every browser counts that as a caveat. */
const PLAYED = /swiftshader|llvmpipe|softpipe|software|basic render/i

let drawn = 0
let found: boolean | null = null

/** Where there is a GPU and no other terminals have it; the built-in renderer serves all others, and once it is lost. */
export async function drawOnGpu(terminal: Terminal, owned: Owned): Promise<void> {
  if (drawn >= MOST || !hasGpu()) return
  const { WebglAddon } = await import('@xterm/addon-webgl')
  if (owned.isClosed || drawn >= MOST) return
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose())
    terminal.loadAddon(webgl)
    drawn += 1
    owned.add(() => {
      drawn -= 1
    })
  } catch {
    // No WebGL in this browser: nothing is lost but speed.
  }
}

/** And not a processor that plays one: it takes longer than drawing without. */
function hasGpu(): boolean {
  if (found === null) {
    const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
    found = context !== null && !PLAYED.test(rendererOf(context))
    context?.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return found
}

function rendererOf(context: WebGL2RenderingContext): string {
  const debug = context.getExtension('WEBGL_debug_renderer_info')
  return String(context.getParameter(debug === null ? context.RENDERER : debug.UNMASKED_RENDERER_WEBGL))
}
