/**
 * Who may read the pages that this server renders: everybody, people who are signed in and holders of a key, or
 * only people who are signed in.
 */
export const visibilities = ['public', 'key', 'signed-in'] as const

export type Visibility = (typeof visibilities)[number]

/** The visibilities in words. */
export const readers: Readonly<Record<Visibility, string>> = {
  public: 'anyone',
  key: 'signed-in users and anyone with a project key',
  'signed-in': 'people who are signed in',
}

/** Who may read, in words; the name alone where only a newer server knows it. */
export function readersOf(visibility: string): string {
  const known = visibilities.find((name) => name === visibility)
  return known === undefined ? visibility : readers[known]
}

/** Without a setting, only people who are signed in. */
export const usualVisibility = 'signed-in'

export function visibilityOf({
  visibility = usualVisibility,
}: {
  visibility?: Visibility | undefined
}): Visibility {
  return visibility
}
