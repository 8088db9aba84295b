import type { SlackAdapterConfig } from '@chat-adapter/slack'

type Intercept = NonNullable<NonNullable<SlackAdapterConfig['webClientOptions']>['requestInterceptor']>

/** A character for private use, which no font shows: it stands between two stars until the library is done. */
const between = '\u{F8A0}'

/**
 * Keeps the library from reading two stars as Markdown: the texts are Slack’s own mark-up already, in which they stand in
 * patterns such as `**\/*.md`.
 */
export function keepStars(text: string): string {
  return text.replaceAll(between, '').replaceAll(/\*(?=\*)/g, `*${between}`)
}

/** Takes the character out of what is sent to Slack. */
export const sendStars: Intercept = (config) => {
  // The client sends its fields as text.
  const { data } = config as { data?: unknown }
  if (typeof data === 'string')
    config.data = data.replaceAll(between, '').replaceAll(encodeURIComponent(between), '')
  return config
}
