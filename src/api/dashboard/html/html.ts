import type { HtmlEscapedString } from 'hono/utils/html'

/** What the `html` tag makes: text in it is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>
