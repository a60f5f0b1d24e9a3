/** The mark of the product: the panels of a dashboard, as the inner elements of an SVG of 24 by 24. */
export const MARK =
  '<rect x="2" y="2" width="9" height="12" rx="2"/><rect x="13" y="2" width="9" height="6" rx="2" opacity=".55"/><rect x="2" y="16" width="9" height="6" rx="2" opacity=".55"/><rect x="13" y="10" width="9" height="12" rx="2"/>';
