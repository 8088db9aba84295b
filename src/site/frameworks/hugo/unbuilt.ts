import { settingAt } from '../settings.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { timeIn } from './order.ts'

/** Whether a build leaves the page out: drafts, parts of others, what is not rendered, and what is not yet or no longer published. */
export function isUnbuilt(data: FrontMatterData, now = Date.now()): boolean {
  const render = buildOf(data, 'render')
  const published = timeIn(data['publishDate'] ?? data['publishdate'] ?? data['date'])
  const expired = timeIn(data['expiryDate'] ?? data['expirydate'])
  return (
    data['draft'] === true ||
    data['headless'] === true ||
    render === 'never' ||
    render === false ||
    (published !== undefined && published > now) ||
    (expired !== undefined && expired <= now)
  )
}

/** The fields that decide it. */
export const builtFields = [
  'draft',
  'headless',
  'build',
  '_build',
  'date',
  'publishDate',
  'publishdate',
  'expiryDate',
  'expirydate',
]

/** A field of `build`, which older versions call `_build`. */
export function buildOf(data: FrontMatterData, field: string): unknown {
  return settingAt(data, 'build', field) ?? settingAt(data, '_build', field)
}
