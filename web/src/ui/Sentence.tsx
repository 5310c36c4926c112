const TO_TYPE = /`([^`\n]+)`/

/** A sentence for people: what stands between backticks, a command say, is drawn as code. */
export function Sentence({ text }: { text: string }) {
  return text.split(TO_TYPE).map((part, index) => {
    // Every second part stood between two of them.
    if (index % 2 === 0) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: its place is what it is known by.
      <code key={index} className="to-type">
        {part}
      </code>
    )
  })
}
