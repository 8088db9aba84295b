import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { linkDifferencesFrom } from './compare-links.ts'
import { differencesFrom, recording } from './compare-site.ts'

const folder = import.meta.dirname
/** Every difference that is left, by its reason: a new one fails, and so does one that has gone. */
const [known, knownLinks] = ['known-differences.json', 'known-dead-links.json'].map((name) =>
  z
    .record(z.string(), z.record(z.string(), z.array(z.string())))
    .parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
)

const files = readdirSync(join(folder, 'recorded')).sort((one, other) =>
  one.localeCompare(other, 'en', { numeric: true }),
)
const all = new Map(
  files.map((file) => [
    file,
    recording.parse(JSON.parse(readFileSync(join(folder, 'recorded', file), 'utf8'))),
  ]),
)

// Older recordings say what newer versions changed; the product follows the newest.
const newest = new Map([...all].map((one) => [`${one[1].site} ${one[1].generator}`, one]))
for (const [file, recorded] of newest.values()) {
  it(`understands a site as ${recorded.generator} ${recorded.version} does (${file})`, async () => {
    const differences = await differencesFrom(recorded, join(folder, 'sites', recorded.site))
    expect(differences).toEqual(
      Object.values(known?.[file] ?? {})
        .flat()
        .sort(),
    )
  })
  it(`calls the links dead that ${recorded.generator} ${recorded.version} leaves dead (${file})`, async () => {
    const differences = await linkDifferencesFrom(recorded, join(folder, 'sites', recorded.site))
    expect(differences).toEqual(
      Object.values(knownLinks?.[file] ?? {})
        .flat()
        .sort(),
    )
  })
}
