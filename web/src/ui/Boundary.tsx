import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** What stands in its place when a part cannot be drawn; `again` tries once more. */
  face: (again: () => void) => ReactNode
  children: ReactNode
}

/** A fault in one part of the page is that part's alone. The browser's console has what it was. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return this.props.face(() => this.setState({ hasFailed: false }))
  }
}
