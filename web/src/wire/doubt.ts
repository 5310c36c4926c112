/** One server is behind every socket and call: whoever waits for it in vain lets all the others ask too. */

const asking = new Set<() => void>()

/** `ask` is called whenever there is a reason to doubt that the server answers. */
export function whenDoubted(ask: () => void): () => void {
  asking.add(ask)
  return () => asking.delete(ask)
}

export function doubt(): void {
  for (const ask of [...asking]) ask()
}
