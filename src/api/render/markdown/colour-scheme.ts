import type { TreeElement } from './tree.ts'

type Scheme = 'light' | 'dark'

const ofClass: ReadonlyMap<string, Scheme> = new Map(
  Object.entries({
    light: 'dark:hidden dark:sl-hidden light-only only-light',
    dark: 'dark:block dark:inline dark:inline-block dark:flex light:sl-hidden dark-only only-dark',
  } satisfies Record<Scheme, string>).flatMap(([scheme, names]) =>
    names.split(' ').map((name) => [name, scheme as Scheme] as const),
  ),
)

/** Classes with which the frameworks show an element in one colour scheme alone. */
export const schemeClasses = [...ofClass.keys()]

/** An image is often there twice, for each colour scheme: the style sheet hides the one that is not meant. */
export function markScheme({ tagName, properties }: TreeElement): void {
  const { className, src } = properties
  const names = Array.isArray(className) ? className.map(String) : []
  const scheme =
    names.map((name) => ofClass.get(name)).find((one) => one !== undefined) ??
    (tagName === 'img' && typeof src === 'string' ? schemeOfAddress(src) : undefined)
  const others = names.filter((name) => !ofClass.has(name))
  properties['className'] = scheme === undefined ? others : [...others, `only-${scheme}`]
}

/** `image.png#only-dark` in Material for MkDocs, `#gh-dark-mode-only` on GitHub */
function schemeOfAddress(address: string): Scheme | undefined {
  const [, scheme] = /#(?:only-|gh-)(light|dark)(?:-mode-only)?$/.exec(address) ?? []
  return scheme === 'light' || scheme === 'dark' ? scheme : undefined
}
