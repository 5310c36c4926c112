import { serverNow } from '../../state/connection'
import type { ProjectPermission } from '../../state/permissions'
import { useNow } from '../../ui/useNow'
import { useWords } from '../../words/useWords'
import { countdown } from '../../words/words'

/** What happens if nobody answers, and when. */
export function Expiry({ permission, isShort = false }: { permission: ProjectPermission; isShort?: boolean }) {
  const words = useWords()
  const left = permission.expiresAtMs - useNow(serverNow)
  const say = isShort ? words.permission.deniedInShort : words.permission.deniedIn
  return <span className="age">{left > 0 ? say(countdown(left)) : words.permission.expired}</span>
}
