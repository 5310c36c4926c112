import { serverNow } from '../state/connection'
import { useClock } from '../ui/useClock'
import { useWords } from '../words/useWords'
import { age, elapsed } from '../words/words'

/** `6 min`: how long ago it was. `isExact` counts the seconds below an hour, too. */
export function Since({ atMs, isExact = false }: { atMs: number; isExact?: boolean }) {
  const words = useWords()
  const write = isExact ? elapsed : age
  return useClock(() => write(serverNow() - atMs, words))
}
