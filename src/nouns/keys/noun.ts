import { widgetEndpoints } from '../../api/widget/get-widget.ts'
import { doorOf } from '../../verbs/http.ts'
import { keyPages } from './page.ts'
import { keyDeeds } from './run.ts'
import { widgetPages } from './widget-page.ts'

/** API keys, and the widget that uses one. */
export const keys = {
  endpoints: [doorOf(keyDeeds), widgetEndpoints],
  pages: [keyPages, widgetPages],
} as const
