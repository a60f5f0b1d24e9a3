interface Props {
  readonly text: string;
  /** What was searched for. */
  readonly words: readonly string[];
}

/** A text in which the words of a search are marked. */
export function Marked({ text, words }: Props) {
  const parts = words.filter((word) => word !== '').map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  if (parts.length === 0) return <>{text}</>;
  const pieces = text.split(new RegExp(`(${parts.join('|')})`, 'giu'));
  return <>{pieces.map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}</>;
}
