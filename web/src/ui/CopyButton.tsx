import { useEffect, useState } from 'react'
import { IconButton } from './IconButton'

const SHOWN_MS = 1500

/** Copies `text`; says so for a moment. */
export function CopyButton({ text, label, copiedLabel }: { text: string; label: string; copiedLabel: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      size="s"
      label={isCopied ? copiedLabel : label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
    />
  )
}
