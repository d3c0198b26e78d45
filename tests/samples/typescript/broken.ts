import { a, from './a'

export interface Half {
  x: number
  y:

export class Torn<T extends {
  constructor(private a: string, {}
  fine(): void {}
  torn(b: {
    return b as
  }
}

/** Fine again. */
export function after(): string {
  return `not ${closed`
}
