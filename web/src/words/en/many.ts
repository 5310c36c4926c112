/** A number and its noun. */
export const many = (n: number | string, one: string, other: string) => `${n} ${Number(n) === 1 ? one : other}`
