import EncounterLog
import FixedMemory
import GRDB
import LogContents

/// The markers and the battery of a board.
extension Archive {
    func markers(ofBoot boot: Int64, in database: Database) throws -> [MarkerEntry] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM marker WHERE bootID = ? ORDER BY monotonicMilliseconds",
            arguments: [boot])
        return rows.map {
            MarkerEntry(instant: $0["monotonicMilliseconds"], origin: MarkerOrigin(rawValue: $0["origin"]))
        }
    }

    func batteryReadings(ofBoot boot: Int64, in database: Database) throws -> [BatteryEntry] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM battery WHERE bootID = ? ORDER BY monotonicMilliseconds",
            arguments: [boot])
        return rows.map { row in
            let reading = BatteryReading(
                percent: row["percent"], millivolts: row["millivolts"],
                state: BatteryState(rawValue: row["state"]), isLow: row["isLow"])
            return BatteryEntry(instant: row["monotonicMilliseconds"], reading: reading)
        }
    }
}
