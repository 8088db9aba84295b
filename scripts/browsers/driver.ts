/** What the walk needs of a browser, whoever drives it. */
export interface Driver {
  version: string
  open(address: string): Promise<void>
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  click(selector: string): Promise<void>
  /** A key by its name: `j`, `Escape`. */
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  close(): Promise<void>
}

const patience = 60_000

/** Waits until an expression is true in the page. A page that is just being left has no value. */
export async function until(driver: Driver, expression: string): Promise<void> {
  const end = Date.now() + patience
  let last: unknown
  while (Date.now() < end) {
    last = await driver.evaluate(`Boolean(${expression})`).catch((error: unknown) => error)
    if (last === true) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error(`Waited in vain for ${expression}${last instanceof Error ? `: ${last.message}` : ''}`)
}
