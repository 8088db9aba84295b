/** Where chat platforms answer, with a slash at the end. */
export interface ChatApis {
  readonly slack: string
  readonly discord: string
  /** With where tokens are had, and what tells the keys that sign calls. */
  readonly teams: Readonly<Record<'api' | 'login' | 'keys', string>>
  /** The same of Google: `keys` is where both sets of its keys are. */
  readonly google: Readonly<Record<'api' | 'login' | 'keys', string>>
}
