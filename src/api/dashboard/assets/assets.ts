import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Asset {
  type: string
  content: string
  hash: string
}

type AssetName = 'dashboard.css' | 'dashboard.js' | 'icon.svg'

export const assets: ReadonlyMap<string, Asset> = new Map<AssetName, Asset>([
  ['dashboard.css', read('dashboard.css', 'text/css')],
  ['dashboard.js', read('dashboard.js', 'text/javascript')],
  ['icon.svg', read('icon.svg', 'image/svg+xml')],
])

/** With a hash of the content, so that browsers may keep it for ever. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets.get(name)?.hash ?? ''}`
}

function read(name: AssetName, type: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url), 'utf8')
  return {
    type: `${type}; charset=utf-8`,
    content,
    hash: createHash('sha256').update(content).digest('hex').slice(0, 12),
  }
}
