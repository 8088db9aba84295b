import { expect, it } from 'vitest'
import { scriptSettings } from './script-settings.ts'

const found = (source: string) => scriptSettings(source).map(({ keys, value }) => [keys.join('.'), value])

it('finds literal settings by their brackets and runs nothing', () => {
  const source = `
    import x from 'y' // a: 'comment'
    const name: string = process.env.NAME
    export default defineConfig({
      base: "/b/", 'quoted': true, computed: name, /* hidden: 'x' */
      nested: { list: ['a', { deep: 'it\\'s' }], fn() { return { inner: \`t\` } } },
      template: \`\${name}\`,
    })`
  expect(found(source)).toEqual([
    ['base', '/b/'],
    ['quoted', true],
    ['nested.list.deep', "it\\'s"],
    ['nested.list', ['a']],
    ['nested.inner', 't'],
  ])
})

it('survives text that is not a script', () => {
  expect(found('{'.repeat(200_000))).toEqual([])
  expect(found('a: "never closed')).toEqual([['a', 'never closed']])
})
