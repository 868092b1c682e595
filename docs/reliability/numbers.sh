#!/usr/bin/env bash
# How often each invariant held, from ledger.csv: prints the tables of docs/guarantees.md; with --write it puts them there.
set -euo pipefail
cd "$(dirname "$0")"

# A run counts for an invariant from the time on since when all of its checkers judged: the first lines had fewer.
rows() {
  cat <<'ROWS'
I1;2026-11-29T21:25;`AtomicIntake`, `OneEventPerChange`; what clients were told: `HistoryAudit`
I2;2026-11-29T18:00;`OneTask`; `HistoryAudit`
I3;2026-11-29T21:25;`SameAnswer`; `HistoryAudit`
I4;2026-11-29T18:00;`NoEventLostNoneInvented`
I5;2026-11-29T21:25;`OrderPerKey`, `NewestLast`
I6;2026-11-29T18:00;`OneEntryNewestState`
I7;2026-11-29T21:25;`OnePost`, `LedgerDiscipline`
I8;2026-11-29T21:25;`TruthfulStatus`, `LegalTransitions`
I9;2026-11-29T21:25;`ConvergingCallbacks`; what the sink received: `CallbackAudit`
I10;2026-11-29T21:25;`TenantsAreStrangers`; what strangers were shown: `HistoryAudit`
I11;2026-11-29T21:25;`NothingHalfKnownDropped`; `ParkedAudit`
I12;2026-11-29T21:25;`Audited`; what stands in the logs: `LogAudit`
I13;2026-11-30T01:40;`TruthfulMeters`
I14;2026-11-30T01:40;`ResourcesComeBack`
ROWS
}

tables() {
  awk -F, '
    NR == FNR { split($0, part, ";"); if (part[1] != "") { ids[++n] = part[1]; since[n] = part[2]
                text = $0; sub(/^[^;]*;[^;]*;/, "", text); by[n] = text } next }
    FNR == 1 || $3 !~ /^(faults|soak)$/ || $4 == "fuzz" { next }
    { t = $3; runs[t]++; hits[t] += $7; minutes[t] += $8 / 60; ops[t] += $9; accepted[t] += $10
      if ($13 == "clean") row[t]++; else { found[t]++; row[t] = 0 }
      for (i = 1; i <= n; i++) if ($1 >= since[i]) { if ($13 == "clean") clean[i]++; else { bad[i]++; clean[i] = 0 } } }
    function below(k) { return k > 3 ? sprintf("%.1f %%", 300 / k) : "–" }
    END {
      print "| Tier | Runs | Found something | Faults that hit | Minutes | Operations | Tasks accepted | Clean in a row | So the share is below |"
      print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
      for (i = 1; i <= 2; i++) { t = i == 1 ? "faults" : "soak"; if (runs[t])
        printf "| %s | %d | %d | %d | %.0f | %d | %d | %d | %s |\n", t, runs[t], found[t], hits[t], minutes[t], ops[t], accepted[t], row[t], below(row[t]) }
      print ""
      print "| | Checked by | Clean runs in a row | Found before | So the share is below |"
      print "| --- | --- | --- | --- | --- |"
      for (i = 1; i <= n; i++)
        printf "| %s | %s | %d | %d | %s |\n", ids[i], by[i], clean[i], bad[i], below(clean[i])
    }' <(rows) ledger.csv
}

if [ "${1:-}" = --write ]; then
  TEXT=$(tables) awk '
    /^<!-- numbers: end -->/ { inside = 0 }
    !inside { print }
    /^<!-- numbers: begin/ { inside = 1; print ""; print ENVIRON["TEXT"]; print "" }' ../guarantees.md > ../guarantees.md.new
  mv ../guarantees.md.new ../guarantees.md
else
  tables
fi
