import { joined } from '../lib/joined'

const LEAD = 0xe2
/** The first of their three bytes in UTF-8. */
const NOTHING = new Uint8Array(0)

/**
 * A program's output without what turns the direction of reading (U+202A … 202E, U+2066 … 2069): a line would show as
 * another one than it is, and the server's terminal keeps none of it for whoever comes later.
 */
export class Undirected {
  /** The beginning of a character, whose rest comes with the next bytes. */
  #begun: Uint8Array = NOTHING

  take(bytes: Uint8Array): Uint8Array {
    const all = this.#begun.byteLength === 0 ? bytes : joined(this.#begun, bytes)
    this.#begun = NOTHING
    let kept: Uint8Array = NOTHING
    let from = 0
    for (let at = all.indexOf(LEAD); at !== -1; at = all.indexOf(LEAD, at + 1)) {
      if (at + 2 >= all.byteLength && mayTurn(all[at + 1])) {
        this.#begun = all.slice(at)
        return joined(kept, all.subarray(from, at))
      }
      if (turns(all[at + 1], all[at + 2])) {
        kept = joined(kept, all.subarray(from, at))
        from = at + 3
      }
    }
    return from === 0 ? all : joined(kept, all.subarray(from))
  }

  /** What comes next goes on from nothing. */
  begin(): void {
    this.#begun = NOTHING
  }
}

function mayTurn(second: number | undefined): boolean {
  return second === undefined || second === 0x80 || second === 0x81
}

function turns(second = 0, third = 0): boolean {
  return (second === 0x80 && third >= 0xaa && third <= 0xae) || (second === 0x81 && third >= 0xa6 && third <= 0xa9)
}
