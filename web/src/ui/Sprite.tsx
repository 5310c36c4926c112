import sprite from './icons.svg?raw'

/** The symbols that `Icon` and `Glyph` refer to; mounted once. */
export function Sprite() {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this project, fixed at build time.
  return <div className="sprite" aria-hidden="true" dangerouslySetInnerHTML={{ __html: sprite }} />
}
