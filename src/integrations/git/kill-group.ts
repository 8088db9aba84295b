/** Ends a program with all that it started, where the system has groups. One that is gone already is no error. */
export function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
