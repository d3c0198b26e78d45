// Newer syntax, and letters of all kinds: é 設定 🎉
import data from './data.json' with { type: 'json' }

export const größe = (länge) => '😀'.repeat(länge ?? 1)

export class Café {
  static #count = 0
  static { Café.#count = data?.count ?? 0 }
  ['computed' + 1]() { return this?.#private?.(1) }
  get #private() { return (n) => n ** 2 }
  async *pages(url, { limit = 10, ...rest } = {}) {
    for await (const page of fetchAll(url)) {
      if (page.last) break
      else if (page.empty) continue
      else yield* page.items
    }
    label: for (let i = 0, n = limit; i < n; i++) {
      switch (i) {
        case 0:
        case 1: {
          continue label
        }
        default:
          rest[i] ||= /[/\]]+(?<name>x)/giu.test(`é ${i} ${`inner ${i}`}`)
      }
    }
  }
  handler = async (event) => {
    try { await event() } catch { return null } finally { Café.#count++ }
  }
}

;(function () {
  var a = 1, b = function () { return a }
  return b
})()

export const routes = {
  '/': () => 'home',
  async '/about'(request) { return request.url },
  get size() { return 2 },
  nested: { deep: { deeper: function* () { yield 1 } } },
}

do { var last = 1 } while (last--)
export { größe as size, Café as default }
