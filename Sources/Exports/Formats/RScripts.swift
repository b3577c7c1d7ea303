/// Scripts that load an export into R. They lie beside the tables.
public enum RScripts {
    public static let fileName = "read.R"

    /// Joins the line list and the contacts.
    public static let epicontacts = """
        # Rscript read.R, or source("read.R", chdir = TRUE) in R. Needs the package epicontacts.
        linelist <- read.csv("linelist.csv", stringsAsFactors = FALSE, na.strings = "")
        contacts <- read.csv("contacts.csv", stringsAsFactors = FALSE, na.strings = "")
        contacts$date <- as.Date(contacts$date)
        x <- epicontacts::make_epicontacts(linelist, contacts, id = "id", from = "from", to = "to", directed = FALSE)
        print(summary(x))

        """

    /// Loads the survey, and computes a matrix of contacts by age.
    public static let socialmixr = """
        # Rscript read.R, or source("read.R", chdir = TRUE) in R. Needs the package socialmixr.
        participants <- read.csv("tabard_participant_common.csv", stringsAsFactors = FALSE, na.strings = "")
        contacts <- read.csv("tabard_contact_common.csv", stringsAsFactors = FALSE, na.strings = "")
        days <- read.csv("tabard_sday.csv", stringsAsFactors = FALSE, na.strings = "")
        participants <- merge(participants, days, by = "part_id")
        contacts$cnt_age <- contacts$cnt_age_exact
        survey <- socialmixr::survey(participants, contacts)
        print(socialmixr::contact_matrix(survey, age.limits = c(0, 18, 65)))

        """
}
