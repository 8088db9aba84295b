import { isRecord } from '../../../lib/is-record.ts'
import type { PageCustoms } from '../../pages/page-customs.ts'
import { needsKind, needsTitle } from '../front-matter-needs.ts'

/** What Starlight asks of pages. */
export const starlightCustoms: PageCustoms = {
  ownAnchors: ['_top'],
  standsAlone: (data) => data['template'] === 'splash',
  needsOf: (data) => [
    ...needsTitle(data, 'Starlight', false),
    ...needsKind(data, ['description', 'slug'], 'text', (value) => typeof value === 'string'),
    ...needsKind(data, ['draft', 'pagefind'], 'true or false', (value) => typeof value === 'boolean'),
    ...needsKind(data, ['sidebar'], 'a set of keys such as `label` and `order`', isRecord),
    ...needsKind(
      isRecord(data['sidebar']) ? { 'sidebar.order': data['sidebar']['order'] } : {},
      ['sidebar.order'],
      'a number',
      (value) => typeof value === 'number',
    ),
  ],
}
