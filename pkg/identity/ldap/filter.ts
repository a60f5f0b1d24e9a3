import {
  AndFilter,
  ApproximateFilter,
  EqualityFilter,
  ExtensibleFilter,
  type Filter,
  FilterParser,
  GreaterThanEqualsFilter,
  LessThanEqualsFilter,
  NotFilter,
  OrFilter,
  PresenceFilter,
  SubstringFilter,
} from 'ldapts';

const PLACE = '%s';

/** Whether a text is a filter (RFC 4515). `%s` may be where a value is. */
export function isFilter(template: string): boolean {
  try {
    return template !== '' && FilterParser.parseString(template) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The filter with a value in place of `%s`. The template is parsed before the value is put in, so no character of the
 * value can change the filter. Throws for a text that is no filter.
 */
export function filterFor(template: string, value: string): Filter {
  return filled(FilterParser.parseString(template), (text) => text.replaceAll(PLACE, () => value));
}

/** The filter that finds what `filterFor` would find for any value. */
export function filterForAny(template: string): Filter {
  return filled(FilterParser.parseString(template), undefined);
}

type Fill = ((text: string) => string) | undefined;

function filled(filter: Filter, fill: Fill): Filter {
  if (filter instanceof AndFilter || filter instanceof OrFilter)
    filter.filters = filter.filters.map((part) => filled(part, fill));
  else if (filter instanceof NotFilter) filter.filter = filled(filter.filter, fill);
  else if (filter instanceof SubstringFilter) return substring(filter, fill);
  else if (hasValue(filter) && filter.value.includes(PLACE)) {
    if (fill === undefined) return anyValue(filter);
    filter.value = fill(filter.value);
  }
  return filter;
}

type WithValue = Filter & { value: string };

function hasValue(filter: Filter): filter is WithValue {
  const kinds = [
    EqualityFilter,
    ApproximateFilter,
    GreaterThanEqualsFilter,
    LessThanEqualsFilter,
    ExtensibleFilter,
  ] as const;
  return kinds.some((kind) => filter instanceof kind) && typeof (filter as WithValue).value === 'string';
}

function substring(filter: SubstringFilter, fill: Fill): Filter {
  const { attribute, initial, any, final } = filter;
  if (fill !== undefined) {
    return new SubstringFilter({ attribute, initial: fill(initial), any: any.map(fill), final: fill(final) });
  }
  return pattern(attribute, [initial, ...any, final].join(PLACE));
}

function anyValue(filter: WithValue): Filter {
  if (filter instanceof ExtensibleFilter) return new PresenceFilter({ attribute: filter.matchType });
  const { attribute } = filter as WithValue & { readonly attribute: string };
  return pattern(attribute, filter.value);
}

/** `a%sb` → the filter `attribute=a*b`. */
function pattern(attribute: string, text: string): Filter {
  const parts = text.split(PLACE);
  const [initial = '', ...others] = parts;
  const final = others.pop() ?? '';
  const any = others.filter((part) => part !== '');
  if (initial === '' && final === '' && any.length === 0) return new PresenceFilter({ attribute });
  return new SubstringFilter({ attribute, initial, any, final });
}
