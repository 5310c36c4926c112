import { type RefObject, useLayoutEffect } from 'react'

/** As high as its text, up to what its style allows. */
export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = box.current
    if (area === null) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  }, [box, text])
}
