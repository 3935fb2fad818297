// The sum of each variant with its share and by kind of client. It is the legend of the bars, too.
import { VariantSwatch } from "../../../parts/feature/variant-swatch.js";
import { formatCount, formatShare } from "../../../parts/insights/counts.js";
import type { Total } from "./totals.js";

interface TotalsTableProps {
  /** `the last 24 hours` */
  spanName: string;
  totals: readonly Total[];
}

export function TotalsTable({ spanName, totals }: TotalsTableProps) {
  const variants = totals.map(({ variant }) => variant);
  const sum = (of: "browser" | "server" | "count") => totals.reduce((all, total) => all + total[of], 0);
  return (
    <table className="insights-totals">
      <caption className="visually-hidden">Evaluations by variant in {spanName}</caption>
      <thead>
        <tr>
          <th scope="col">Variant</th>
          <th scope="col">Evaluations</th>
          <th scope="col">Browsers</th>
          <th scope="col">Services</th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ variant, count, share, browser, server }) => (
          <tr key={variant}>
            <th scope="row">
              <span className="insights-variant">
                <VariantSwatch variant={variant} variants={variants} />
                <code>{variant}</code>
              </span>
            </th>
            <td>
              {formatCount(count)} <span className="insights-share">{formatShare(share)}</span>
            </td>
            <td>{formatCount(browser)}</td>
            <td>{formatCount(server)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          <td>
            {formatCount(sum("count"))} <span className="insights-share" />
          </td>
          <td>{formatCount(sum("browser"))}</td>
          <td>{formatCount(sum("server"))}</td>
        </tr>
      </tfoot>
    </table>
  );
}
