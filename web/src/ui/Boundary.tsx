import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Shown in place of what failed; `retry` draws it anew. */
  fallback: (fault: Fault) => ReactNode
  children: ReactNode
}

export interface Fault {
  text: string
  retry: () => void
}

interface BoundaryState {
  text: string | null
}

/**
 * A fault in drawing what is within ends here, and the rest of the page lives on. React tells the console of it, once.
 * Give it the key of what it draws: something else begins without the fault.
 */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { text: null }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { text: String(error) }
  }

  readonly #retry = () => this.setState({ text: null })

  override render(): ReactNode {
    const { text } = this.state
    return text === null ? this.props.children : this.props.fallback({ text, retry: this.#retry })
  }
}
