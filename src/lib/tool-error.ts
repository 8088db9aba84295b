/** A failed tool call, told to the model as `{error: {code, message, ...hints}}`: what is wrong and what to do next. */
export class ToolError extends Error {
  readonly code: string
  readonly hints: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, hints: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'ToolError'
    this.code = code
    this.hints = hints
  }

  toOutput(): Record<string, unknown> {
    return { error: { ...this.hints, code: this.code, message: this.message } }
  }
}
