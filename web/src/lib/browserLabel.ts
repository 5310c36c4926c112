const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a person calls this browser, as far as its user agent tells: `Firefox, Linux`. */
export function browserLabel(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [])
  return found.length > 0 ? found.join(', ') : 'browser'
}
