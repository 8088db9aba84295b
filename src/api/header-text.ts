/** Text of any kind as the value of a header: percent-encoded where a header cannot hold it. */
export function headerText(text: string): string {
  return /^[\x20-\x7E]*$/.test(text) ? text : encodeURIComponent(text)
}
