/// <reference lib="es2023" />
// Newer syntax, and letters of all kinds: é 設定 🎉
import type { Handler } from './handler.mjs'
import json = require('./data.json')

export type Größe<T, U extends keyof T = keyof T> = T extends (infer V)[]
  ? { readonly [K in U as `get${Capitalize<K & string>}`]?: () => T[K] }
  : never

@sealed
@component({ selector: 'café', template: `<b>☕ ${1 + 1}</b>` })
export abstract class Café<T = unknown> extends Base<T> implements Handler, Disposable {
  declare readonly länge: number
  static count = 0
  @input() private name!: string
  constructor(protected readonly items: Map<string, T>, public override label?: string) { super() }

  /** Serves one. */
  serve(cup: string): T
  serve(cup: number, fast?: boolean): T | undefined
  // The implementation.
  serve(cup: string | number, fast = false) {
    const found = this.items.get(`${cup}`) satisfies T | undefined
    using lock = acquire(<any>found!)
    return fast ? found : (found as T)
  }

  protected abstract brew<const K extends string>(kind: K, ...rest: readonly string[]): asserts kind is K
  get [Symbol.toStringTag]() { return 'Café' }
  handler = async <R,>(event: Event): Promise<R> => {
    for (const [key, value] of Object.entries(event)) {
      if (key in this) continue
      else throw new TypeError(`${key}: ${value}`, { cause: event })
    }
    return undefined as unknown as R
  }
}

declare global {
  interface Window { café?: Café }
  var größe: number
}

export namespace Küche.Herd {
  export const enum Stufe { Aus, Klein = 1 << 0, Groß = 'groß'.length }
  export function an(stufe: Stufe): stufe is Stufe.Klein { return stufe === Stufe.Klein }
}

export default { setup: (options: { a?: number }) => options, async teardown() {} } as const
export { type Größe as Size, Küche }
