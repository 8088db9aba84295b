/** A pull request, or merge request, as every forge has it. */
export interface ChangeRequest {
  number: number
  /** Where a person opens it: an address, or a path on this server for what lives here. */
  link: string
  state: 'open' | 'merged' | 'closed'
  head: string
  base: string
}

export interface ChangeRequestText {
  title: string
  body: string
}

/** The port: what publishing a job needs of one repository's forge. Every call can be repeated safely. */
export interface Forge {
  /** The newest change request of a head branch, in whatever state. */
  findByHead(head: string): Promise<ChangeRequest | undefined>
  /** Opens one; an open one of the same head is returned as it is. */
  open(request: ChangeRequestText & { head: string; base: string; draft: boolean }): Promise<ChangeRequest>
  update(number: number, text: ChangeRequestText): Promise<ChangeRequest>
  read(number: number): Promise<ChangeRequest | undefined>
}
