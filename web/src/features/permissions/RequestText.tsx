import { useEffect } from 'react'
import type { ProjectPermission } from '../../state/permissions'
import { markRead } from '../../state/readRequests'
import { ReadBox } from '../../ui/ReadBox'
import { useWords } from '../../words/useWords'
import { requestText } from './requestText'

/** What would run, word for word; once all of it was in view the request can be allowed. */
export function RequestText({ permission }: { permission: ProjectPermission }) {
  const words = useWords()
  const { detail } = requestText(permission)
  const isAll = detail === ''
  // What is asked stands whole in its heading.
  useEffect(() => {
    if (isAll) markRead(permission)
  }, [isAll, permission])
  if (isAll) return null
  return <ReadBox text={detail} label={words.permission.detail} onRead={() => markRead(permission)} />
}
