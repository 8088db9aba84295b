/** What git says when another repository does not accept what it was shown, or wants to be shown something. */
export const refusedLogin = /could not read (?:Username|Password)|Authentication failed|returned error: 401/
