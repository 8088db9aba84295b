/** Whether a description of an API is named by its address on the web. It can stand in Markdown as it is. */
export function isRemote(place: string): boolean {
  return place.length <= 500 && URL.canParse(place) && /^https?:\/\/[^\s()<>[\]`#]+$/i.test(place)
}
