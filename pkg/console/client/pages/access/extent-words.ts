/** How far a verb is allowed with the objects of a kind. */
export interface Extent {
  readonly verb: string;
  readonly extent: 'all' | 'some' | 'none';
  /** With how many of them. Absent if they were not counted. */
  readonly objects?: number;
  readonly of?: number;
}

/** How far a verb is allowed, as a mark with few words. */
export interface Shown {
  readonly extent: Extent['extent'];
  readonly mark: string;
  readonly short: string;
  readonly words: string;
}

/** `◐ 3 of 8`. Something that is allowed with none of the objects that there are is like what is not allowed. */
export function shownExtent({ extent, objects, of }: Pick<Extent, 'extent' | 'objects' | 'of'>): Shown {
  if (extent === 'all') return { extent, mark: '✓', short: '', words: 'yes' };
  if (extent === 'none') return { extent, mark: '–', short: '', words: 'no' };
  if (objects === undefined || of === 0) return { extent, mark: '◐', short: '', words: 'some objects' };
  if (of === undefined)
    return { extent, mark: objects === 0 ? '–' : '◐', short: String(objects), words: `${objects} objects` };
  if (objects === 0 && of > 0) return { extent: 'none', mark: '–', short: `0 of ${of}`, words: `0 of ${of}` };
  const short = objects * 2 >= of ? `all but ${of - objects}` : `${objects} of ${of}`;
  return { extent, mark: '◐', short, words: short };
}
