/**
 * A browser has no `Buffer`, and the graphemes addon (0.4.0) takes one of Node's for memory of its own: it then reads what
 * lies before its tables, and never ends. Imported before what loads it.
 */
Reflect.deleteProperty(globalThis, 'Buffer')
