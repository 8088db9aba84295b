/** What a run makes once for all of its test files: tests/stores.setup.ts answers. */
export async function askRun(path: string): Promise<unknown> {
  const response = await fetch(`${process.env['TEST_STORES']}${path}`)
  if (!response.ok) throw new Error(`The run has no ${path} for this test: ${await response.text()}`)
  return response.json()
}
