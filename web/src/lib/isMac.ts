/** On its keyboards the page's own keys go with Cmd, and Ctrl is the program's. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
