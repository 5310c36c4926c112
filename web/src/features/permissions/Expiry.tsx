import { serverNow } from '../../state/connection'
import type { ProjectPermission } from '../../state/permissions'
import { useClock } from '../../ui/useClock'
import { useWords } from '../../words/useWords'
import { countdown } from '../../words/words'

/** What happens if nobody answers, and when. */
export function Expiry({ permission, isShort = false }: { permission: ProjectPermission; isShort?: boolean }) {
  const words = useWords()
  const say = isShort ? words.permission.deniedInShort : words.permission.deniedIn
  const text = useClock(() => {
    const leftMs = permission.expiresAtMs - serverNow()
    return leftMs > 0 ? say(countdown(leftMs)) : words.permission.expired
  })
  return <span className="age">{text}</span>
}
