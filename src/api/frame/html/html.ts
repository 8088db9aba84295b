import type { HtmlEscapedString } from 'hono/utils/html'

/** What the `html` template tag returns. Texts in it are escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>
