/** Who the person is among those who ask: an id that no agent can have, whatever it is named. */

export const PERSON = 'human'

export function isPerson(id: string): boolean {
  return id === PERSON
}
