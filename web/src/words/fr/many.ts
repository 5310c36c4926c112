/** A number and its noun. */
export const many = (n: number, one: string, other: string) => `${n} ${n < 2 ? one : other}`
