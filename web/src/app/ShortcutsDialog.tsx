import { Dialog, DialogText } from '../ui/Dialog'
import { useWords } from '../words/useWords'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const { keys } = words
  const rows: [string[], string][] = [
    [['Alt N'], keys.needs],
    [['Alt O'], keys.asks],
    [['Alt 1', 'Alt 9'], keys.focus],
    [['Alt M'], keys.maximise],
    [['Alt L'], keys.layouts],
    [[keys.enter], keys.send],
    [[`${keys.shift} ${keys.enter}`], keys.newLine],
    [['↑'], keys.history],
    [['J', 'K', 'G'], keys.walk],
    [['A', 'S', 'D'], keys.answer],
    [[keys.escape], keys.hide],
    [[`Ctrl ${keys.shift} C`, 'V'], keys.clipboard],
    [['Ctrl F', `Ctrl ${keys.shift} F`], keys.find],
    [[`Ctrl ${keys.shift} ${keys.space}`], keys.mark],
    [['Ctrl +', '-', '0'], keys.zoom],
    [['?'], keys.help],
  ]
  return (
    <Dialog title={words.shortcuts} closeLabel={words.close} onClose={onClose}>
      <DialogText label={words.shortcuts}>
        <dl className="keys">
          {rows.map(([combos, meaning]) => (
            <div key={meaning}>
              <dt>
                {combos.map((combo) => (
                  <kbd key={combo}>{combo}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </DialogText>
    </Dialog>
  )
}
