/** Whether the site's generator brings something of this kind and name, which is inert. */
export type Ships = (kind: 'component' | 'directive' | 'role' | 'call', name: string) => boolean
