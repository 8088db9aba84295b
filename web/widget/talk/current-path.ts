/** Path of the page, as the server takes it. */
export function currentPath(): string {
  return location.pathname.slice(0, 200)
}
